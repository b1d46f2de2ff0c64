// The face of the questions: what their routes may ask of them.
import type { Page, PageLimits } from '../../platform/store/page.ts'
import type { AnswerInput, AnswerReply, Question, TriggerReply } from '../../schemas/ask/question.ts'

export interface Ask {
  /** Throws 500 where a check cannot look, or nobody can be notified. */
  trigger(): Promise<TriggerReply>
  /** Throws 404 for what was never asked, 410 for what is answered or expired, 500 where nobody can be notified. */
  answer(input: AnswerInput): Promise<AnswerReply>
  /** Newest first. */
  list(filter: { status?: Question['status'] }, part: Partial<PageLimits>): Promise<Page<Question>>
  get(id: string): Promise<Question>
}
