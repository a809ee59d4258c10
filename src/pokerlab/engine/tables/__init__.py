"""What every walk over the public tree needs: boards, their hands, programs of streets."""
