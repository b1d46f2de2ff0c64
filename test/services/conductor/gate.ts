/** A promise that a test settles. */
export interface Gate {
  promise: Promise<void>
  open(): void
  fail(reason: unknown): void
}

export function gate(): Gate {
  let open!: () => void
  let fail!: (reason: unknown) => void
  const promise = new Promise<void>((resolve, reject) => {
    open = resolve
    fail = reject
  })
  return { promise, open, fail }
}
