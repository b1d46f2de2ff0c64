import type { Outgoing, Transport } from '../../platform/http/client.ts'

/** Sends a request of an operation that the daemon named in an answer. Returns its JSON, or undefined for none. */
export async function sendNamed(
  transport: Transport,
  { method, path, body }: Pick<Outgoing, 'method' | 'path' | 'body'>,
): Promise<unknown> {
  const outgoing = { method, path, body, headers: {}, endless: false, signal: undefined }
  // The transport of the page does not use the operation.
  const answer = await transport.send(outgoing as unknown as Outgoing)
  const text = await answer.text()
  return text === '' ? undefined : (JSON.parse(text) as unknown)
}
