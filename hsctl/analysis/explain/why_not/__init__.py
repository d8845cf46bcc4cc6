"""Why another line was not chosen: it is followed through the layers of a beam search to where it fell."""
