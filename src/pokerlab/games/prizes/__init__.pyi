from .chip_model import PrizeShares, icm
from .prize_money import PrizeMoney, Worth

__all__ = ["PrizeMoney", "PrizeShares", "Worth", "icm"]
