import * as operations from '../../../schemas/operations/ask.ts'
import { connect } from '../../http-client.ts'
import { subjectById } from '../../lookup.ts'
import { age } from '../../output/duration.ts'
import { visible } from '../../output/print.ts'
import { renderTable } from '../../output/table.ts'
import type { CommandEntry } from '../../program.ts'
import { healthVerb } from '../health.ts'
import { verb } from '../../verb.ts'

const group = operations.askOperations

const aQuestion = subjectById('question', 'agent ask list', async (options) =>
  (await connect(group, options).listQuestions()).map(({ question_id }) => ({ id: question_id })),
)

export const ask: readonly CommandEntry[] = [
  verb('trigger', group, operations.trigger, {
    examples: ['agent ask trigger'],
  }),
  verb('list', group, operations.listQuestions, {
    examples: ['agent ask list --status Pending'],
    done: (questions) =>
      renderTable(
        questions,
        [
          { title: 'ID', value: ({ question_id }) => question_id, kind: 'id' },
          {
            title: 'STATUS',
            value: ({ status }) => status,
            colour: ({ status }) => (status === 'Pending' ? 'yellow' : undefined),
          },
          { title: 'QUESTION', value: ({ question }) => question, kind: 'text' },
          { title: 'ANSWER', value: ({ answer }) => answer, kind: 'text' },
          { title: 'AGO', value: ({ asked_at }) => age(asked_at), kind: 'time' },
        ],
        'No questions.',
      ),
  }),
  verb('get', group, operations.getQuestion, {
    subject: aQuestion,
    examples: ['agent ask get 1f3c9a2b'],
  }),
  verb('answer', group, operations.answerQuestion, {
    summary: 'Answer a question; exit 1 if the action fails',
    args: [
      { member: 'question_id', shown: aQuestion.shown, help: aQuestion.help },
      { member: 'answer', shown: '<answer>', help: 'Answer (yes runs the action); - reads standard input' },
    ],
    request: async (members, { options }) => ({
      ...members,
      question_id: (await aQuestion.find(String(members.question_id), options)).id,
    }),
    examples: ['agent ask answer 1f3c9a2b yes'],
    done: ({ message }) => visible(message),
    exit: ({ success }) => (success ? 0 : 1),
  }),
  healthVerb('ask', group, 'Check the health of the question service'),
]
