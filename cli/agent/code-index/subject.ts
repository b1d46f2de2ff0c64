// What the verbs on repositories are about, as it is named on the command line.
import { typed } from '../../command-line.ts'
import type { Repository } from '../../../schemas/code-index/repository.ts'
import { indexOperations } from '../../../schemas/operations/code-index.ts'
import { connect } from '../../http-client.ts'
import { byId } from '../../lookup.ts'
import type { Subject } from '../../verb.ts'

export const aRepository: Subject<Pick<Repository, 'id'>> = {
  shown: '<repository>',
  help: 'name, id, or its first characters',
  find: (word, options) => {
    const all = async () => (await connect(indexOperations, options).listRepositories()).repositories
    return byId(word, all, { title: 'repository', list: typed`agent index list-repos` })
  },
}
