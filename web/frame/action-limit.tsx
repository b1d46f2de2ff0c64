import { useLostAt } from '../live/use-live.ts'
import { Quoted } from '../parts/text/quoted.tsx'
import { useCaller } from './caller.tsx'
import { limitText, type Guard } from './permissions.ts'

/** Why the actions beside it are disabled; nothing if they are not. */
export function ActionLimit({ guard }: { guard: Guard }) {
  const caller = useCaller()
  const text = limitText(caller, guard, useLostAt() !== null)
  return text === null ? null : (
    <span className="soft fine" role="status">
      <Quoted text={text} />
    </span>
  )
}
