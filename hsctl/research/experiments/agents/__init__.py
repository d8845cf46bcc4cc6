"""Questions about the agents: which variant, which setting, which school is best?"""
