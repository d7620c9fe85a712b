// Three mails, of which one is refused.
const outcomes = await Promise.allSettled(
  ["cat", "bob", "eve"].map((to) => tools.mail_send({ to, subject: "Stock is low" })),
);
text(outcomes.map(({ status, reason }) => (status === "fulfilled" ? "sent" : reason.kind)));
