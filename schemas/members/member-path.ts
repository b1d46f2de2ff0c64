// Paths such as `env.HOME`, `tools[Read]` and `participants[alice].role`: keys of list elements in brackets, as JSON
// text if they contain brackets, quotes or backslashes (`tools["Bash(ls [ab]*)"]`).

/** A field of an object, or an element of a list. */
export interface PathStep {
  key: string
  isElement: boolean
}

/** Keys that need no quotes in brackets. */
const BARE = /^(?! )[^[\]"\\\p{Cc}]+(?<! )$/u
const ELEMENT = /\[(?:("(?:[^"\\]|\\.)*")|([^[\]"\\]+))\]/y

export function stepsOf(path: string): PathStep[] {
  const steps: PathStep[] = []
  let at = 0
  while (at < path.length) {
    const element = elementAt(path, at)
    if (element) {
      steps.push({ key: element.key, isElement: true })
      at = element.end
      if (at === path.length) break
      if (path[at] === '.') at++
    } else {
      const end = endOfName(path, at)
      steps.push({ key: path.slice(at, end), isElement: false })
      if (end === path.length) break
      at = path[end] === '.' ? end + 1 : end
    }
  }
  return steps
}

export function pathOf(steps: readonly PathStep[]): string {
  return steps.reduce((path, { key, isElement }) => (isElement ? elementPath(path, key) : memberPath(path, key)), '')
}

export function memberPath(parent: string, name: string): string {
  return parent === '' ? name : `${parent}.${name}`
}

export function elementPath(list: string, key: string): string {
  return `${list}[${BARE.test(key) ? key : JSON.stringify(key)}]`
}

/** Top-level field of a path. */
export function topMember(path: string): string {
  return stepsOf(path)[0]?.key ?? ''
}

/** True if `path` equals or is below one of `prefixes`. */
export function isBelow(path: string, prefixes: readonly string[]): boolean {
  if (prefixes.length === 0) return false
  const steps = stepsOf(path)
  return prefixes.some((prefix) => {
    const above = stepsOf(prefix)
    return above.length <= steps.length && above.every((step, at) => isSameStep(step, steps[at]!))
  })
}

function isSameStep(a: PathStep, b: PathStep): boolean {
  return a.key === b.key && a.isElement === b.isElement
}

function elementAt(path: string, at: number): { key: string; end: number } | null {
  if (path[at] !== '[') return null
  ELEMENT.lastIndex = at
  const found = ELEMENT.exec(path)
  if (!found) return null
  const key = found[1] === undefined ? found[2]! : parsed(found[1])
  return key === null ? null : { key, end: ELEMENT.lastIndex }
}

/** A bracket that opens no element is part of the name. */
function endOfName(path: string, from: number): number {
  let end = from
  while (end < path.length && path[end] !== '.' && !(path[end] === '[' && elementAt(path, end))) end++
  return end
}

function parsed(text: string): string | null {
  try {
    return JSON.parse(text) as string
  } catch {
    return null
  }
}
