import maxSatisfying from 'semver/ranges/max-satisfying.js'
import validRange from 'semver/ranges/valid.js'

/** At most one field is set; `name` is a branch or else a tag. Empty: the remote HEAD. */
export type WantedRef = { name?: string; branch?: string; tag?: string; semver?: string; commit?: string }

const COMMIT = /^([0-9a-f]{40}|[0-9a-f]{64})$/

export const isCommit = (text: string): boolean => COMMIT.test(text)

/** Returns the format of a repository by the length of a commit id. */
export const objectFormat = (commit: string): 'sha1' | 'sha256' => (commit.length === 64 ? 'sha256' : 'sha1')

export function refNamed(word: string | null | undefined): WantedRef {
  if (!word || word === 'HEAD') return {}
  return isCommit(word) ? { commit: word } : { name: word }
}

export function patternsOf({ name, branch, tag, semver: range }: WantedRef): string[] {
  if (range !== undefined) return ['refs/tags/*']
  if (branch !== undefined) return [`refs/heads/${branch}`]
  if (tag !== undefined) return tagNames(tag)
  if (name?.startsWith('refs/')) return [name, `${name}^{}`]
  return name === undefined ? ['HEAD'] : [`refs/heads/${name}`, ...tagNames(name)]
}

const tagNames = (tag: string): string[] => [`refs/tags/${tag}`, `refs/tags/${tag}^{}`]

export function shownRef({ name, branch, tag, semver: range, commit }: WantedRef): string {
  if (range !== undefined) return `tag in the range ${range}`
  if (branch !== undefined) return `branch ${branch}`
  if (tag !== undefined) return `tag ${tag}`
  if (commit !== undefined) return `commit ${commit}`
  return name === undefined ? 'HEAD' : `branch or tag ${name}`
}

/** Selects the commit, or null. Prefers a tag's commit to the tag object. */
export function chosen(ref: WantedRef, listed: ReadonlyMap<string, string>): string | null {
  if (ref.semver !== undefined) {
    const best = newestIn(ref.semver, listed.keys())
    return best === null ? null : (listed.get(`${best}^{}`) ?? listed.get(best) ?? null)
  }
  const at = (name: string) => listed.get(`${name}^{}`) ?? listed.get(name)
  const names = patternsOf(ref).filter((name) => !name.endsWith('^{}'))
  return names.map(at).find((commit) => commit !== undefined) ?? null
}

/** Returns the highest version, `refs/tags/v1.4.2`; null if none matches. */
function newestIn(range: string, names: Iterable<string>): string | null {
  const versions = [...names].map((name) => name.replace(/^refs\/tags\//, ''))
  const best = maxSatisfying(versions, range)
  return best && `refs/tags/${best}`
}

export const isRange = (range: string): boolean => validRange(range) !== null

export function listedIn(output: string): Map<string, string> {
  return new Map(
    output.split('\n').flatMap((line): [string, string][] => {
      const [oid = '', name = ''] = line.split('\t')
      return isCommit(oid) && name !== '' ? [[name, oid]] : []
    }),
  )
}
