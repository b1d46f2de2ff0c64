export interface CurlRequest {
  method: string
  /** Complete address. */
  address: string
  /** JSON; undefined for none. */
  body?: unknown
}

/** Quotes a word for a POSIX shell. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`

/** The command line of a request. It has no session: curl is identified by its process, or by a token. */
export function curlOf({ method, address, body }: CurlRequest): string {
  const words = [
    'curl',
    ...(method === 'GET' ? [] : ['-X', method]),
    ...(body === undefined ? [] : ['-H', 'Content-Type: application/json', '-d', JSON.stringify(body)]),
    address,
  ]
  return words.map(shellWord).join(' ')
}
