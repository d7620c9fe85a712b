class Account { constructor(public readonly owner: string, private balance = 0, protected log: string[] = []) {} deposit(amount: number) { this.balance += amount; this.log.push(`+${amount}`); return this; } get total() { return this.balance; } }
class Savings extends Account { constructor(owner: string, private rate: number) { super(owner, 100); } interest() { return this.total * this.rate; } }
console.log(new Account("Ann").deposit(5), new Savings("Bob", 0.5).interest());
