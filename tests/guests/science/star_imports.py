# What older programs begin with.
from numpy import *
from pylab import figure, plot, savefig

print(arange(3) + pi)
figure()
print(len(plot([1, 2], [3, 4])))
