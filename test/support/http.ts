// HTTP requests of tests, with the actor `tester` by default.

export interface Reply<T> {
  status: number
  /** Null if empty. */
  body: T
}

/** Does not throw on an error status. */
export async function ask<T = any>(
  method: string,
  url: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply<T>> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      'x-svc-actor': 'tester',
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: (text === '' ? null : JSON.parse(text)) as T }
}

/** Throws on an error status. */
export async function request<T = any>(method: string, url: string, body?: unknown): Promise<T> {
  const reply = await ask<T>(method, url, body)
  if (reply.status < 200 || reply.status > 299)
    throw new Error(`${method} ${url} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
  return reply.body
}
