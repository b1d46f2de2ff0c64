import { invalid } from '../core/problem.ts'

export interface GitAddress {
  /** `https:`, `http:`, `ssh:` or `file:`. */
  url: string
  ref: string | null
  /** Folder without leading or trailing `/`; empty for the root. */
  path: string
}

const SCHEMES = ['https:', 'http:', 'ssh:', 'file:']

/** Also true for invalid addresses. */
export const isGitAddress = (written: string): boolean => /^(git\+|git@|(https?|ssh|git):\/\/)/.test(written)

/** Parses `git+https://host/repository.git#ref:path`. Throws 400. */
export function gitAddress(written: string, where: string): GitAddress {
  const [base, fragment] = split(written, '#')
  const [ref, path] = split(fragment, ':')
  return { url: repositoryUrl(base, where), ref: ref || null, path: folderPath(path, where) }
}

function split(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

function repositoryUrl(written: string, where: string): string {
  // user@host:path
  const short = /^([\w.-]+@[\w.-]+):(?!\/\/)(.+)$/.exec(written.replace(/^git\+/, ''))
  const plain = short ? `ssh://${short[1]}/${short[2]!.replace(/^\//, '')}` : written.replace(/^git\+/, '')
  if (!URL.canParse(plain))
    throw invalid(`${where}: not an address of a git repository: use https://…, ssh://… or file:///…`)
  const url = new URL(plain)
  if (!SCHEMES.includes(url.protocol))
    throw invalid(
      `${where}: git repositories are read by ${SCHEMES.map((each) => `${each}//`).join(', ')}, not by ${url.protocol}//`,
    )
  if (url.password !== '' || (url.username !== '' && url.protocol !== 'ssh:'))
    throw invalid(
      `${where}: the address contains a password or a token: remove it, and name the variable that has it under credentials: { password_variable: NAME }`,
    )
  if (url.search !== '') throw invalid(`${where}: a repository address must not contain "?"`)
  return url.href
}

/** Normalises a folder. Throws 400 if it leads outside the repository. */
export function folderPath(written: string, where: string): string {
  const parts = written.split('/').filter((part) => part !== '' && part !== '.')
  if (written.startsWith('/') || parts.includes('..') || parts.includes('.git'))
    throw invalid(`${where}: path should be a folder inside the repository, instead got "${written}"`)
  return parts.join('/')
}

export function shownAddress({ url, ref, path }: GitAddress): string {
  const fragment = path === '' ? (ref ?? '') : `${ref ?? ''}:${path}`
  return fragment === '' ? `git+${url}` : `git+${url}#${fragment}`
}
