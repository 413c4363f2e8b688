import { addTexts } from '@/shared/i18n/late'
import texts from '@/shared/i18n/locales/en/curation.json'

addTexts('curation', texts)
