"""Two agents that don't think: `random` takes any legal action, `still` does nothing."""
