/** Settles as `work` does, or rejects with `late()` after `ms` milliseconds. */
export async function withDeadline<T>(ms: number, work: PromiseLike<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), ms)
  })
  return Promise.race([work, over]).finally(() => clearTimeout(timer))
}
