from .chip_model import PrizeShares, icm

__all__ = ["PrizeShares", "icm"]
