export interface Build {
  /** Address of the main script. */
  script: string
  /** Address of the page: `/ui/`. */
  page: string
}

/** True if the daemon serves a page with another main script: names of scripts contain a hash of their text. */
export async function isOutdated(
  { script, page }: Build,
  read: (address: string) => Promise<Pick<Response, 'ok' | 'text'>>,
): Promise<boolean> {
  const response = await read(page).catch(() => null)
  if (!response?.ok) return false
  const file = new URL(script).pathname.split('/').at(-1)!
  return !(await response.text()).includes(`/${file}"`)
}
