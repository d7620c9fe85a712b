// Hands back every value that it is given.
import * as values from "test:random/values";

for (let round = 0; round < ROUNDS; round++) {
  for (let index = 0; index < FUNCTIONS; index++) {
    const given = values[`giveA${index}`]();
    values[`checkA${index}`](...given);
    let answer;
    try {
      answer = { tag: "ok", val: values[`answerA${index}`]() };
    } catch (error) {
      if (error.kind !== "error") throw error;
      answer = { tag: "err", val: error.payload };
    }
    values[`confirmA${index}`](answer);
  }
}
