/** The family names and first names of one part of the community. */
export type Background = { families: readonly string[]; firstNames: readonly string[] };

const words = (text: string): string[] => text.trim().split(/\s+/);

const EASTERN_EUROPE: Background = {
  families: words(`
    Adler Altman Auerbach Becker Berger Berkowitz Bernstein Blau Blumenfeld Brodsky Cohen Davidowitz Diamond Eisen Epstein Feinberg
    Feldman Fink Fischer Frankel Friedman Gelb Ginsburg Glick Goldberg Goldstein Gottlieb Greenbaum Gross Halpern Heller Hershkowitz
    Hirsch Horowitz Isaacson Jacobs Kagan Kahn Kaplan Katz Klein Kornfeld Landau Lebowitz Lerner Levin Lieberman Lowenthal Mandel
    Margolis Mendelsohn Meyer Miller Nussbaum Orlinsky Perlman Pollack Rabinowitz Reich Rosen Rosenthal Roth Rubin Sachs Schechter
    Schreiber Schwartz Segal Shapiro Silver Singer Spiegel Stein Sternberg Tannenbaum Teitelbaum Unger Wachtel Weinberg Weiss
    Wolf Zimmerman`),
  firstNames: words(`
    Aaron Abby Adina Alan Amy Ari Ariella Avi Barry Batsheva Ben Beth Binyamin Bracha Chana Chaim Daniel Dassi Dena Devorah Dov Elana
    Eli Elisheva Ephraim Esther Ezra Faigy Gila Hadassah Hannah Hillel Ilana Jacob Jeff Jenny Joel Jonah Josh Judy Kayla Laura Leah Leib
    Malka Mark Menachem Michal Michelle Mindy Miriam Mordechai Moshe Naftali Naomi Nathan Nechama Pinchas Rachel Rena Rivky Robert Ruth
    Sam Sarah Shaina Shalom Shani Shira Shmuel Simcha Steven Susan Tamar Tova Tzvi Yael Yehuda Yitzchak Yocheved Yossi Zahava Zev`),
};

const MEDITERRANEAN: Background = {
  families: words(`
    Abadi Abitbol Aboud Alfassi Amar Angel Ashkenazi Assaraf Azoulay Benaroch Benchimol Bensimon Bitton Cattan Chalom Dayan Delgado
    Dweck Elbaz Elmaleh Franco Gabay Haddad Hazan Kassin Laniado Levy Malka Mizrahi Nahmias Ohana Perez Sabbagh Sasson Serfaty Sutton
    Tawil Toledano Varon Zafrani`),
  firstNames: words(`
    Abraham Albert Allegra Aviva Camille Charles David Dina Eliana Elie Esther Ezra Gabriel Giselle Isaac Jack Jacques Joseph Joy
    Linda Lucienne Margalit Maurice Mazal Meir Michelle Mireille Morris Moshe Nissim Orly Rachel Ralph Raphael Rebecca Renee Rosa Sally
    Salomon Shaul Simon Sol Solomon Sophie Stella Victor Violette Yvette`),
};

const PERSIA_AND_BUKHARA: Background = {
  families: words(`
    Abramov Aminov Aronov Babayev Cohanim Daniali Eliyahu Hakimi Hakimian Ilyayev Kalantar Kohan Mashadi Moradi Mullokandov Nazarian
    Nektalov Pinkhasov Rafailov Sarraf Shalomi Yadgarov Yaghoubi Yusupov`),
  firstNames: words(`
    Albina Aviva Boris Daniel Daniella David Dorit Emanuel Esther Farhad Gavriel Ilana Ilya Isaac Jasmine Khanna Mahin Manny Mazal
    Michael Nerya Parviz Rivka Roman Roya Ruben Shahram Shirin Sofia Solomon Svetlana Tamara Yafa Yana Yosef Zina`),
};

const OTHERS: Background = {
  families: words(`Alvarez Baptiste Brooks Carter Chen Gebru Hernandez Jackson Joseph Kim Lindgren Moreno Nguyen O’Brien Tessema Walker`),
  firstNames: words(`Abigail Almaz Andre Benjamin Caleb Claire David Elias Grace Hana Isaac Julia Lena Marcus Maya Naomi Noah Ruth Samuel`),
};

/**
 * The parts of the community. Families are chosen from all entries with the same probability, so a background with several entries is
 * chosen more often.
 */
export const COMMUNITY: readonly Background[] = [
  EASTERN_EUROPE,
  EASTERN_EUROPE,
  EASTERN_EUROPE,
  EASTERN_EUROPE,
  MEDITERRANEAN,
  MEDITERRANEAN,
  PERSIA_AND_BUKHARA,
  OTHERS,
];
