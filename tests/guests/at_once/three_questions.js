// Three mails that have to be approved, of which the approver refuses one.
async function send(to) {
  try {
    return (await tools.mail.send({ to, subject: "Limit reached" })).sent;
  } catch (error) {
    if (error.kind !== "denied") throw error;
    return `${to}: ${error.message.includes("not bob") ? "True" : "False"}`;
  }
}

const before = await tools.log.write({ line: "sending" });
result = [before, ...(await Promise.all(["ann", "bob", "cat"].map(send)))];
