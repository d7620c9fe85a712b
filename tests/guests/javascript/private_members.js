// Private fields, methods, accessors and statics.
class Account {
  #balance = 0;
  static #opened = 0;
  #log = [];
  constructor(owner) {
    this.owner = owner;
    Account.#opened++;
  }
  #record(kind, amount) {
    this.#log.push(`${kind} ${amount}`);
  }
  get #funds() {
    return this.#balance;
  }
  set #funds(value) {
    if (value < 0) throw new Error("overdrawn");
    this.#balance = value;
  }
  deposit(amount) {
    this.#funds += amount;
    this.#record("deposit", amount);
    return this;
  }
  withdraw(amount) {
    this.#funds -= amount;
    this.#record("withdraw", amount);
    return this;
  }
  static opened() {
    return Account.#opened;
  }
  static isAccount(value) {
    return typeof value === "object" && value !== null && #balance in value;
  }
  get history() {
    return this.#log.join("; ");
  }
  async *#entries() {
    yield* this.#log;
  }
  async last() {
    let found;
    for await (const entry of this.#entries()) found = entry;
    return found;
  }
}
const account = new Account("Ada").deposit(100).withdraw(30);
console.log(account.history, Account.opened(), Account.isAccount(account), Account.isAccount({}));
try {
  account.withdraw(1000);
} catch (error) {
  console.log(error.message);
}
console.log(Object.keys(account), JSON.stringify(account));
account.last().then((entry) => console.log(entry));
try {
  Account.prototype.deposit.call({}, 1);
} catch (error) {
  console.log(error.constructor.name);
}
