// Hands back every value that it is given.
import * as values from "test:random/values";

for (let round = 0; round < ROUNDS; round++) {
  for (let index = 0; index < TYPES; index++) {
    const given = values[`giveA${index}`]();
    values[`checkA${index}`](given);
  }
}
