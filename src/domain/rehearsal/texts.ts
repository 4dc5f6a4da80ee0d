// The names of the invented families. Some last names occur two or three times, because finding the right family is a part of the work that
// is rehearsed.
export const FAMILY_NAMES = `Shira Adler, Dovid Adler, Miriam Baum, Yosef Berman, Leah Blum, Eitan Carmi, Tova Dayan, Noam Ehrlich, Chana Feld, Avi Feldman,
  Rina Feldman, Gavriel Fuchs, Esther Geller, Moshe Glick, Dina Gold, Uri Gold, Batya Haber, Asher Heller, Naomi Hirsch, Ilan Kaplan,
  Sara Kaplan, Yael Katz, Boaz Kern, Ruth Lerner, Ari Levin, Tamar Levin, Golda Levin, Hillel Mandel, Orly Nadel, Simcha Oren,
  Malka Peretz, Reuven Rosen, Penina Rosen, Levi Sacks, Aliza Sasson, Meir Stern, Zahava Tal, Nissim Wolf, Devora Zeller, Elisheva Zimmer`;
