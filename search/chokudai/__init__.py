"""A chokudai search: every depth has a queue, and sweeps from the first to the last take the best of each.

    queue 0      queue 1      queue 2      ...      the last queue
    the root -> its children -> theirs   ->            the best here is the plan

A sweep takes the best waiting states of each queue in turn and puts their children into the next one. Sweep follows
sweep until the time is up. The first is a greedy line, every further one widens all depths alike: there is an answer of
full depth at any time, and no width to choose. Nobody is predicted; states that can't be survived are not queued.

A sparring partner: by its author's account this search took a bot from the Gold league to Legend. The author
didn't describe its evaluation; the weights are those of the strongest bot whose weights are public.
"""
