// Filters of a list of resources.
import { invalid } from '../../platform/core/problem.ts'
import { RESOURCE_STATES, type Labels, type ResourceState } from '../../schemas/resource.ts'
import { nearestHint } from '../../schemas/validation/nearest.ts'
import type { ResourceFilter } from '../face.ts'
import type { Owned } from '../planning/ownership.ts'

export interface Search {
  holds(owned: Owned): boolean
  /** Apart from the other conditions, because counts ignore them. */
  states: readonly ResourceState[]
}

type Condition = (owned: Owned) => boolean

/** `kindOf`: the kind of a word. Throws 400 for an unknown kind or state, and for malformed labels. */
export function searchOf({ q = '', kind, source, labels }: ResourceFilter, kindOf: (word: string) => string): Search {
  const states: ResourceState[] = []
  const conditions: Condition[] = []
  const ofKind = (word: string): Condition => {
    const wanted = kindOf(word)
    return (owned) => owned.kind === wanted
  }
  const ofSource =
    (name: string): Condition =>
    (owned) =>
      owned.source === name
  if (kind !== undefined) conditions.push(ofKind(kind))
  if (source !== undefined) conditions.push(ofSource(source))
  for (const label of labels?.split(',') ?? []) conditions.push(labelled('labels', label))
  for (const term of q.split(/\s+/).filter((each) => each !== '')) {
    const [, prefix, value = ''] = /^(is|kind|source|label):(.*)$/s.exec(term) ?? []
    if (prefix === 'is') states.push(stateOf(value))
    else if (prefix === 'kind') conditions.push(ofKind(value))
    else if (prefix === 'source') conditions.push(ofSource(value))
    else conditions.push(prefix === 'label' ? labelled('q', value) : containing(term.toLowerCase()))
  }
  return { states, holds: (owned) => conditions.every((condition) => condition(owned)) }
}

function stateOf(word: string): ResourceState {
  const state = RESOURCE_STATES.find((each) => each === word)
  if (state) return state
  const expected = `expected one of ${RESOURCE_STATES.join(', ')}`
  const message = `is:${word.slice(0, 60)} is not a state; ${nearestHint(word, RESOURCE_STATES, expected)}`
  throw invalid(`q: ${message}`, [{ path: 'q', message, code: 'invalid-value' }])
}

/** `text`: NAME or NAME=VALUE. */
function labelled(path: string, text: string): Condition {
  const at = text.indexOf('=')
  const name = at < 0 ? text : text.slice(0, at)
  if (name === '') {
    const message = `expected a label as NAME or NAME=VALUE; got "${text.slice(0, 60)}"`
    throw invalid(`${path}: ${message}`, [{ path, message, code: 'invalid-value' }])
  }
  const value = at < 0 ? null : text.slice(at + 1)
  const isLabelled = (labels: Labels) => Object.hasOwn(labels, name) && (value === null || labels[name] === value)
  return ({ labels }) => labels !== undefined && isLabelled(labels)
}

function containing(word: string): Condition {
  const hasWord = (text: string) => text.toLowerCase().includes(word)
  return ({ kind, name, file, labels }) =>
    hasWord(`${kind}/${name}`) ||
    hasWord(file) ||
    (labels !== undefined && Object.entries(labels).some(([label, value]) => hasWord(`${label}=${value}`)))
}
