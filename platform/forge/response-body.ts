export async function readText(
  body: ReadableStream<Uint8Array> | null,
  most: number,
  over: 'cut' | 'throw' = 'throw',
): Promise<string> {
  if (body === null) return ''
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength
    if (bytes > most && over === 'throw') throw new Error(`the response has more than ${most} bytes`)
    text += decoder.decode(chunk, { stream: true })
    if (bytes > most) return text
  }
  return text + decoder.decode()
}
