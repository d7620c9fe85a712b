"""`warnings`."""

import sys
import warnings

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    warnings.warn("careful", DeprecationWarning)
    warnings.warn("custom", category=UserWarning, stacklevel=1)
    print([(w.category.__name__, str(w.message)) for w in caught])
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try:
        warnings.warn("as an error")
    except UserWarning as error:
        print(error)
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    warnings.warn("nothing")
warnings.showwarning = lambda message, category, *rest, **more: print("shown", message)
warnings.warn("hooked", RuntimeWarning)
print(sys.warnoptions)
