import { answerQuestion, askOperations as group, getQuestion } from '../../../../schemas/operations/ask.ts'
import { link, named, plain, quoted } from '../parts.ts'
import { entry } from './entry.ts'

export const question = entry(
  group,
  (reads) => reads.questions(),
  ({ question_id, check_type, question: text, asked_at, expires_at }) => [
    {
      id: `question/${question_id}`,
      deadline: expires_at,
      since: asked_at,
      title: [plain('The check '), named(check_type), plain(' asks')],
      detail: [quoted(text, group.service)],
      links: [
        link(group, answerQuestion, { body: { question_id } }),
        link(group, getQuestion, { params: { id: question_id } }),
      ],
    },
  ],
)
