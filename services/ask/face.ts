import type { Listed, Part } from '../../platform/store/page.ts'
import type { AnswerInput, AnswerReply, Question, TriggerReply } from '../../schemas/ask/question.ts'

export interface Ask {
  /** Throws 500 if a check or its notification fails. */
  trigger(): Promise<TriggerReply>
  /** Throws 404 if unknown, 410 if answered or expired, 500 if the notification cannot be updated. */
  answer(input: AnswerInput): Promise<AnswerReply>
  /** Newest first. */
  list<P extends Part>(filter: { status?: Question['status'] }, part: P): Promise<Listed<Question, P>>
  get(id: string): Promise<Question>
}
