/** Whether two types are the same, and not only assignable to each other. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles if the types are the same: equal<typeof found, string>(true). */
export const equal = <A, B>(_same: Equal<A, B>): void => undefined;
