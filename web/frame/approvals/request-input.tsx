import type { Approval } from '../../../schemas/tools/approval.ts'
import { CompleteText, Quoted } from '../../parts/text/quoted.tsx'
import { requestText } from './request-text.ts'

/** Programs that the daemon names at most. */
const MOST_PROGRAMS = 50

/** The complete input of a request, and the programs that it runs. */
export function RequestInput({ approval }: { approval: Approval }) {
  const { text, rest } = requestText(approval.tool_input)
  return (
    <>
      <CompleteText label={`The complete request of ${approval.agent_name ?? approval.agent_id}`} text={text}>
        <Programs approval={approval} />
      </CompleteText>
      {rest !== null && (
        <div className="section">
          <CompleteText label="Further fields of the request" text={rest} />
        </div>
      )}
    </>
  )
}

function Programs({ approval: { programs } }: { approval: Approval }) {
  if (programs === null || programs.length === 0) return null
  return (
    <>
      Runs{' '}
      {programs.map((program, index) => (
        <span key={index}>
          {index > 0 && ', '}
          {program === null ? 'an unknown program' : <Quoted text={program} mono />}
        </span>
      ))}
      {programs.length >= MOST_PROGRAMS && ', and perhaps others'}.
    </>
  )
}
