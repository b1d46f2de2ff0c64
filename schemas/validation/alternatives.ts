// Reduces the errors of a union to those of the branch that the value chose.
import type { ErrorObject } from 'ajv/dist/2020.js'

export function withoutAlternatives(errors: readonly ErrorObject[]): ErrorObject[] {
  let left = [...errors]
  // Inner unions come first.
  for (const union of errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')) {
    const branches = (union.schema as unknown[]).map((_, index) =>
      left.filter((error) => isBelow(error, union, `${union.schemaPath}/${index}/`)),
    )
    const kept = new Set(chosenBranch(branches, union) ?? [union])
    const replaced = new Set(branches.flat())
    left = left.flatMap((error) => {
      if (error === union) return [...kept].filter((each) => !replaced.has(each))
      return replaced.has(error) && !kept.has(error) ? [] : [error]
    })
  }
  return left
}

/** Null if the value has the type of no branch. */
function chosenBranch(branches: ErrorObject[][], union: ErrorObject): ErrorObject[] | null {
  const fitting = branches.filter((branch) => branch.length > 0 && !branch.some((error) => isOfOtherType(error, union)))
  const choices = fitting.length > 0 ? fitting : nullableChoice(branches)
  if (choices.length > 0 && choices.every(([error]) => isChoice(error!, union))) return [mergedChoice(choices, union)]
  const least = Math.min(...fitting.map((branch) => branch.filter((error) => isDecisive(error, union)).length))
  const nearest = fitting.filter((branch) => branch.filter((error) => isDecisive(error, union)).length === least)
  if (nearest.length > 1 && least > 0) return undecided(nearest, union)
  return nearest.sort((a, b) => a.length - b.length)[0] ?? null
}

/** The only branch beside null if it lists words: its error names them, whatever the type of the value. */
function nullableChoice(branches: ErrorObject[][]): ErrorObject[][] {
  const others = branches.filter(([error]) => error?.params.type !== 'null')
  return others.length === 1 ? others : []
}

/** Errors that show that another branch was meant: the names of members, and members that identify a branch. */
function isDecisive({ keyword, instancePath }: ErrorObject, union: ErrorObject): boolean {
  if (instancePath === union.instancePath) return keyword === 'additionalProperties' || keyword === 'required'
  return keyword === 'const' && !instancePath.slice(union.instancePath.length + 1).includes('/')
}

const isChoice = ({ keyword, instancePath }: ErrorObject, union: ErrorObject): boolean =>
  instancePath === union.instancePath && (keyword === 'enum' || keyword === 'const')

function mergedChoice(choices: ErrorObject[][], union: ErrorObject): ErrorObject {
  const allowedValues = choices.flatMap(([error]) => wordsOf(error!))
  return { ...choices[0]![0]!, keyword: 'enum', params: { allowedValues }, parentSchema: union.parentSchema! }
}

const wordsOf = ({ params }: ErrorObject): unknown[] => params.allowedValues ?? [params.allowedValue]

/** Names that no branch knows; if there are none, the names of which one is missing. */
function undecided(branches: ErrorObject[][], union: ErrorObject): ErrorObject[] {
  const own = branches.flat().filter(({ instancePath }) => instancePath === union.instancePath)
  const unknown = own.filter(({ keyword }) => keyword === 'additionalProperties')
  const properties = Object.assign({}, ...own.map(({ parentSchema }) => (parentSchema as any)?.properties))
  const nowhere = unknown.filter(({ params }) => !Object.hasOwn(properties, params.additionalProperty))
  if (nowhere.length > 0) return nowhere.map((error) => ({ ...error, parentSchema: { properties } }))
  const names = own.filter(({ keyword }) => keyword === 'required').map(({ params }) => params.missingProperty)
  return names.length > 0 && unknown.length === 0
    ? [{ ...union, keyword: 'oneRequired', params: { names: [...new Set(names)] } }]
    : branches[0]!
}

function isOfOtherType(error: ErrorObject, union: ErrorObject): boolean {
  if (error.instancePath !== union.instancePath) return false
  if (['type', 'anyOf', 'oneOf'].includes(error.keyword)) return true
  return isChoice(error, union) && !wordsOf(error).some((word) => typeOf(word) === typeOf(union.data))
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function isBelow(error: ErrorObject, union: ErrorObject, prefix: string): boolean {
  return (
    error.schemaPath.startsWith(prefix) &&
    (error.instancePath === union.instancePath || error.instancePath.startsWith(`${union.instancePath}/`))
  )
}
