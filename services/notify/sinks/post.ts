// One POST of JSON to a server that may be anything.

/** Throws when it was not taken; the message shows neither the address nor what was sent, both may hold secrets. */
export async function post(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<void> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'svc-notify', ...headers },
    body,
    // What was signed for one address is not told to another.
    redirect: 'manual',
    signal,
  }).catch((error: Error & { cause?: { code?: string } }) => {
    if (error.name === 'TimeoutError') throw new Error('the server did not answer in time', { cause: error })
    throw new Error(`the server cannot be reached (${error.cause?.code ?? error.name})`, { cause: error })
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`the server answered ${response.status}`)
}
