// What a sandbox does not have, with the reason why.

export function installAbsent() {}
