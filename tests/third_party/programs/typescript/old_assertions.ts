const value: unknown = "text"; console.log((<string>value).length, <any>value === "text");
let definite!: number; definite = 3; console.log(definite!, (value as string)!.toUpperCase());
