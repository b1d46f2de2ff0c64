// `doc`: the commands of `agent doc` by a name of its own.
import type { ProgramSpec } from '../../program.ts'
import { doc } from './index.ts'

export const docProgram: ProgramSpec = {
  name: 'doc',
  description: 'Documents that people and agents keep.',
  commands: doc,
  usual: [
    ['doc list', 'documents, and their tags'],
    ['doc read release-plan', 'one, as it is written'],
    ['doc search rollback', 'those that speak of it'],
  ],
}
