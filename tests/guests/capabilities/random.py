# Hands back every value that it is given.
from isolette import CapabilityError, Err, Ok
from test.random import values

for _ in range(ROUNDS):
    for index in range(FUNCTIONS):
        given = getattr(values, f"give_a{index}")()
        repr(given)
        getattr(values, f"check_a{index}")(*given)
        try:
            answer = Ok(getattr(values, f"answer_a{index}")())
        except CapabilityError as error:
            # Records and variants are raised themselves, and may have a field called `payload`.
            answer = Err(error.payload if type(error) is CapabilityError else error)
        getattr(values, f"confirm_a{index}")(answer)
