// What the verbs on repositories are about, as it is named on the command line.
import { indexOperations } from '../../../schemas/operations/code-index.ts'
import { connect } from '../../http-client.ts'
import { subjectById } from '../../lookup.ts'

export const aRepository = {
  ...subjectById(
    'repository',
    'agent index list-repos',
    async (options) => (await connect(indexOperations, options).listRepositories()).repositories,
  ),
  help: 'name, id, or its first characters',
}
