export interface PageAddress {
  /** Address of the page with a slash at the end: `/ui/`, or `/prefix/ui/`. */
  page: string
  /** Address of the API without a slash at the end: `/api`, or `/prefix/api`. */
  api: string
  /** Address of the live socket: `ws://127.0.0.1:17000/api/live`. */
  live: string
}

/** Derives the addresses from that of a script in `assets/`, so that the page works below any prefix. */
export function addressesOf(script: string): PageAddress {
  const page = new URL('..', script)
  const api = new URL('../api', page)
  const live = new URL('../api/live', page)
  live.protocol = page.protocol === 'https:' ? 'wss:' : 'ws:'
  return { page: page.pathname, api: api.pathname, live: live.href }
}
