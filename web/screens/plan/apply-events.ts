/**
 * Resolves with the first event of an apply. Reads the others to the end, because a cancelled request may end it.
 * `failed`: called with an error that follows the first event.
 */
export async function begun(events: AsyncGenerator<unknown>, failed: (error: unknown) => void): Promise<void> {
  await events.next()
  void (async () => {
    for await (const _ of events);
  })().catch(failed)
}
