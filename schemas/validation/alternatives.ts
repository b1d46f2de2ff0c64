// Reduces the errors of a union to those of its most likely branch.
import type { ErrorObject } from 'ajv/dist/2020.js'

export function withoutAlternatives(errors: readonly ErrorObject[]): ErrorObject[] {
  let left = [...errors]
  for (const union of errors.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')) {
    const branches = (union.schema as unknown[]).map((_, index) =>
      left.filter((error) => isBelow(error, union, `${union.schemaPath}/${index}/`)),
    )
    const kept = nearestBranch(branches, union) ?? [union]
    const dropped = new Set([union, ...branches.flat()].filter((error) => !kept.includes(error)))
    left = left.filter((error) => !dropped.has(error))
  }
  return left
}

/** Branch of a matching type with the fewest errors. */
function nearestBranch(branches: ErrorObject[][], union: ErrorObject): ErrorObject[] | null {
  const wrongType = (error: ErrorObject) =>
    error.instancePath === union.instancePath &&
    (['type', 'anyOf', 'oneOf'].includes(error.keyword) || isNoneOfTheirType(error))
  const fitting = branches.filter((branch) => branch.length > 0 && !branch.some(wrongType))
  return fitting.sort((a, b) => a.length - b.length)[0] ?? null
}

/** A value that has not the type of any allowed value. */
function isNoneOfTheirType({ keyword, params, data }: ErrorObject): boolean {
  if (keyword !== 'enum' && keyword !== 'const') return false
  const allowed: unknown[] = keyword === 'enum' ? params.allowedValues : [params.allowedValue]
  return !allowed.some((value) => typeof value === typeof data && (value === null) === (data === null))
}

function isBelow(error: ErrorObject, union: ErrorObject, prefix: string): boolean {
  return (
    error.schemaPath.startsWith(prefix) &&
    (error.instancePath === union.instancePath || error.instancePath.startsWith(`${union.instancePath}/`))
  )
}
