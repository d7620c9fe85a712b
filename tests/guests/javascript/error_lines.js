// The line that throws, of errors that the engine itself makes.
const lines = (error) => [...error.stack.matchAll(/^ +at .*:(\d+):\d+\)?$/gm)].map((place) => Number(place[1]));
const first = lines(new Error("the line above this one is where counting begins"))[0];
const record = (name, error) => console.log(name, error.name, lines(error)[0] - first);
const nothing = null;
const object = { inner: {}, text: "a", run: (value) => value };

const cases = {
  member() {
    const before = 1;
    return nothing.member;
  },
  first_statement() {
    return this.absent.member;
  },
  literal() {
    const before = 1;

    return null.member;
  },
  declaration() {
    const before = 1;
    const value = this.absent.member;
    return value;
  },
  chain() {
    return object
      .inner
      .absent
      .member;
  },
  chain_of_calls() {
    return object
      .run([])
      .map((item) => item)
      .absent()
      .filter(Boolean);
  },
  element() {
    const key = "absent";
    return this[key][0];
  },
  call() {
    const before = 1;
    nothing();
  },
  call_with_arguments() {
    object.absent(
      object.text,
      {
        key: object.inner,
      },
    );
  },
  call_of_call() {
    object.run(
      object.absent(
        object.text,
      ),
    );
  },
  outer_call() {
    object.absent(
      object.run(
        object.text,
      ),
    );
  },
  argument() {
    object.run(
      object.text,
      nothing.member,
    );
  },
  construction() {
    return new object.Absent(
      object.text,
    );
  },
  construction_without_arguments() {
    const before = 1;
    return new this.Absent();
  },
  assignment() {
    object.absent.member =
      object.text;
  },
  assignment_with_operator() {
    const before = 1;
    this.absent.member += 1;
  },
  constant() {
    const constant = 1;
    constant =
      2;
  },
  property_of_literal() {
    return {
      before: 1,
      member: nothing.member,
    };
  },
  spread() {
    const before = 1;
    return [...this.absent];
  },
  spread_argument() {
    const before = 1;
    return Math.max(...this.absent);
  },
  pattern() {
    const before = 1;
    const { member } = nothing;
  },
  pattern_of_literal() {
    const before = 1;
    const { member } = null;
  },
  inner_pattern() {
    const before = 1;
    const { inner: { absent: { member } } } = object;
  },
  list_pattern() {
    const before = 1;
    const [member] = this.inner;
  },
  assigned_pattern() {
    let member;
    ({ member } = null);
  },
  loop() {
    const before = 1;
    for (const item of 5) {
      object.run(item);
    }
  },
  loop_condition() {
    for (
      let index = 0;
      index < this.absent.length;
      index++
    ) {}
  },
  heritage() {
    const before = 1;
    class Child extends object.text {}
  },
  this_too_early() {
    class Child extends Object {
      constructor() {
        const before = 1;
        this.value = before;
        super();
      }
    }
    return new Child();
  },
  field() {
    class Holder {
      before = 1;
      value = this.absent.member;
    }
    return new Holder();
  },
  getter() {
    const holder = {
      get value() {
        return this.absent.member;
      },
    };
    return holder.value;
  },
  private_member() {
    class Holder {
      #value = 1;
      static read(holder) {
        const before = 1;
        return holder.#value;
      }
    }
    return Holder.read({});
  },
  parent_method() {
    class Child extends Object {
      run() {
        const before = 1;
        return super.absent();
      }
    }
    return new Child().run();
  },
  template() {
    return `text
      ${object.text}
      ${nothing.member}`;
  },
  tag() {
    const before = 1;
    return object.absent`text`;
  },
  operator() {
    const before = 1;
    return 1n + object.text.length;
  },
  sign() {
    const before = 1;
    return +1n;
  },
  condition() {
    return object.text
      ? this.absent.member
      : 1;
  },
  switched() {
    switch (this.absent.member) {
      case 1:
        return 2;
    }
  },
  callback() {
    return [1].map((item) => {
      const before = item;
      return before.absent.member;
    });
  },
  short_callback() {
    return [1].map(
      (item) =>
        item.absent.member,
    );
  },
  comparator() {
    return [{}, {}].sort((left, right) => {
      return left.key.member - right.key.member;
    });
  },
  generator() {
    function* numbers() {
      yield 1;
      yield this.absent.member;
    }
    return [...numbers.call({})];
  },
  async asynchronous() {
    await 1;
    const before = 1;
    return this.absent.member;
  },
  async asynchronous_arrow() {
    const run = async () => {
      await 1;
      return null.member;
    };
    return await run();
  },
  then() {
    return Promise.resolve(1).then((value) => {
      const before = value;
      return before.absent.member;
    });
  },
  rethrown() {
    try {
      this.absent.member;
    } catch (error) {
      throw error;
    } finally {
      object.run();
    }
  },
};

async function main() {
  for (const [name, run] of Object.entries(cases)) {
    try {
      await run.call(object);
      console.log(name, "did not throw");
    } catch (error) {
      record(name, error);
    }
  }
  try {
    nothing.member;
  } catch (error) {
    record("block", error);
  }
  const timer = await new Promise((resolve) =>
    setTimeout(() => {
      try {
        object.absent.member;
      } catch (error) {
        resolve(error);
      }
    }, 0),
  );
  record("timer", timer);
}
main();
