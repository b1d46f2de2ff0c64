// One HTTP request of a test, as somebody called `tester` unless its headers say otherwise.

export interface Reply<T> {
  status: number
  /** Null when the answer has no body. */
  body: T
}

/** Sends `body` as JSON; an error status is an answer like any other. */
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

/** The body of the answer; throws when the status is not 2xx. */
export async function request<T = any>(method: string, url: string, body?: unknown): Promise<T> {
  const reply = await ask<T>(method, url, body)
  if (reply.status < 200 || reply.status > 299)
    throw new Error(`${method} ${url} answered ${reply.status}: ${JSON.stringify(reply.body)}`)
  return reply.body
}
