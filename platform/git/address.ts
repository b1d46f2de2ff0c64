// Addresses of repositories elsewhere: what they may be, and how they are shown. None holds a secret.
import { invalid } from '../core/problem.ts'

export interface GitAddress {
  /** As git takes it: `https:`, `http:`, `ssh:` or `file:`. */
  url: string
  /** Of the part behind `#`; null where nothing is said. */
  ref: string | null
  /** Folder in the repository, with `/` and none at its ends; empty for the whole of it. */
  path: string
}

const SCHEMES = ['https:', 'http:', 'ssh:', 'file:']

/** What is meant as an address, sound or not, and not as a folder. */
export const isGitAddress = (written: string): boolean => /^(git\+|git@|(https?|ssh|git):\/\/)/.test(written)

/** `git+https://host/repository.git#ref:path`. Throws a Problem 400 that names `where` and what is wrong. */
export function gitAddress(written: string, where: string): GitAddress {
  const [base, fragment] = split(written, '#')
  const [ref, path] = split(fragment, ':')
  return { url: repositoryUrl(base, where), ref: ref || null, path: folderPath(path, where) }
}

function split(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/** Throws a Problem 400. */
function repositoryUrl(written: string, where: string): string {
  // git's own short form of ssh: user@host:path.
  const short = /^([\w.-]+@[\w.-]+):(?!\/\/)(.+)$/.exec(written.replace(/^git\+/, ''))
  const plain = short ? `ssh://${short[1]}/${short[2]!.replace(/^\//, '')}` : written.replace(/^git\+/, '')
  if (!URL.canParse(plain))
    throw invalid(`${where}: this is no address of a git repository: write https://…, ssh://… or file:///…`)
  const url = new URL(plain)
  if (!SCHEMES.includes(url.protocol))
    throw invalid(
      `${where}: git repositories are read by ${SCHEMES.map((each) => `${each}//`).join(', ')}, not by ${url.protocol}//`,
    )
  if (url.password !== '' || (url.username !== '' && url.protocol !== 'ssh:'))
    throw invalid(
      `${where}: the address holds a password or a token: take it out, and name the variable that has it under credentials: { password_variable: NAME }`,
    )
  if (url.search !== '') throw invalid(`${where}: an address of a repository has no part behind "?"`)
  return url.href
}

/** A folder inside a repository as git names it. Throws a Problem 400 for one that leads out. */
export function folderPath(written: string, where: string): string {
  const parts = written.split('/').filter((part) => part !== '' && part !== '.')
  if (written.startsWith('/') || parts.includes('..') || parts.includes('.git'))
    throw invalid(`${where}: path should be a folder inside the repository, instead got "${written}"`)
  return parts.join('/')
}

/** As people know it. */
export function shownAddress({ url, ref, path }: GitAddress): string {
  const fragment = path === '' ? (ref ?? '') : `${ref ?? ''}:${path}`
  return fragment === '' ? `git+${url}` : `git+${url}#${fragment}`
}
