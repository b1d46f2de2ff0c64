// `doc`, short for `agent doc`.
import type { ProgramSpec } from '../../program.ts'
import { doc } from './index.ts'

export const docProgram: ProgramSpec = {
  name: 'doc',
  description: 'Read and write documents shared by people and agents.',
  commands: doc,
  usual: [
    ['doc list', 'list documents and their tags'],
    ['doc read release-plan', 'print a document'],
    ['doc search rollback', 'search documents'],
  ],
}
