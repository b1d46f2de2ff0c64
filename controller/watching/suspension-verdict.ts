// A resource that somebody set aside, as its condition tells of it.
import type { Owned, Suspension } from '../planning/ownership.ts'
import type { Verdict } from './conditions.ts'

export const suspendedText = ({ actor }: Suspension): string =>
  `${actor} suspended it: nothing of it is written until it is resumed`

/** Null where it never was. */
export function suspendedVerdict({ suspended, conditions }: Owned): Verdict | null {
  if (suspended) return { type: 'Suspended', status: 'True', reason: 'SetAside', message: suspendedText(suspended) }
  return conditions.some(({ type }) => type === 'Suspended')
    ? { type: 'Suspended', status: 'False', reason: 'Resumed', message: 'it is kept as its manifest says again' }
    : null
}
