import type { Path } from '../../schemas/kind.ts'

/** Throws a TypeError if an inner step of the path does not exist. */
export const valueAt = (value: unknown, path: Path): unknown => path.reduce<any>((inner, step) => inner[step], value)

/** Copies `value`; undefined removes the field. */
export function withValueAt<T>(value: T, path: Path, given: unknown): T {
  const [step, ...rest] = path
  if (step === undefined) return given as T
  if (Array.isArray(value)) return value.with(Number(step), withValueAt(value[Number(step)], rest, given)) as T
  const { [step]: inner, ...others } = value as Record<string, unknown>
  if (rest.length === 0 && given === undefined) return others as T
  return { ...value, [step]: withValueAt(inner, rest, given) }
}
