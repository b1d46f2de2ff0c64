/** True for an https address of the site whose API is at `apiUrl`: the same host, or `api.` before it. */
export function isOfSite(url: string, apiUrl: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, hostname, username, password } = new URL(url)
  const api = new URL(apiUrl).hostname
  return protocol === 'https:' && username === '' && password === '' && (api === hostname || api === `api.${hostname}`)
}
