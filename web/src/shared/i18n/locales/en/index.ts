import first from './first'
import rest from './rest'

export default { ...first, ...rest }
