import { Quoted } from './quoted.tsx'

/** The first characters of an id; the whole id is its title. */
export function ShortId({ id }: { id: string }) {
  return (
    <span title={id}>
      <Quoted text={id.slice(0, 8)} mono />
    </span>
  )
}
