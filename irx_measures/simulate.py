from dataclasses import dataclass


@dataclass
class Campaign:
    pass


def simulate_campaign():
    pass
