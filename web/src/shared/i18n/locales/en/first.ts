// What the first pages say: loaded with the program.
import common from './common.json'
import gallery from './gallery.json'
import home from './home.json'
import jobs from './jobs.json'
import miniApps from './mini-apps.json'
import workflows from './workflows.json'

export default { common, gallery, home, jobs, miniApps, workflows }
